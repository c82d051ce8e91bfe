package dev.narwhal.conformance;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeSecVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;

/**
 * Writes values of one vector in the canonical text form, whatever the vector's type.
 *
 * <p>The form of each type is the table "Canonical values" in {@code fixtures/lance/README.md}.
 */
@FunctionalInterface
interface CanonicalValue {
  HexFormat HEX = HexFormat.of();

  /** Appends the value at {@code index}; the vector's own nulls included. */
  void append(StringBuilder out, int index);

  /**
   * The writer for {@code vector}.
   *
   * @throws IllegalArgumentException when the form of the type is not defined
   */
  static CanonicalValue of(FieldVector vector, DictionaryProvider dictionaries) {
    DictionaryEncoding encoding = vector.getField().getDictionary();
    CanonicalValue present =
        encoding == null
            ? present(vector, dictionaries)
            : entry((BaseIntVector) vector, dictionaries.lookup(encoding.getId()), dictionaries);
    return (out, i) -> {
      if (vector.isNull(i)) {
        out.append("null");
      } else {
        present.append(out, i);
      }
    };
  }

  private static CanonicalValue entry(
      BaseIntVector indices, Dictionary dictionary, DictionaryProvider dictionaries) {
    CanonicalValue values = of(dictionary.getVector(), dictionaries);
    return (out, i) -> values.append(out, Math.toIntExact(indices.getValueAsLong(i)));
  }

  private static CanonicalValue present(FieldVector vector, DictionaryProvider dictionaries) {
    return switch (vector.getMinorType()) {
      case NULL -> (out, i) -> out.append("null");
      case BIT -> (out, i) -> out.append(((BitVector) vector).get(i) == 1);
      case TINYINT, SMALLINT, INT, BIGINT, UINT1, UINT2, UINT4 -> {
        BaseIntVector ints = (BaseIntVector) vector;
        yield (out, i) -> out.append(ints.getValueAsLong(i));
      }
      case UINT8 -> {
        UInt8Vector longs = (UInt8Vector) vector;
        yield (out, i) -> out.append(Long.toUnsignedString(longs.get(i)));
      }
      case FLOAT2 -> {
        Float2Vector halves = (Float2Vector) vector;
        yield (out, i) -> bits(out, "f16:", HEX.toHexDigits(halves.get(i)));
      }
      case FLOAT4 -> {
        Float4Vector floats = (Float4Vector) vector;
        yield (out, i) ->
            bits(out, "f32:", HEX.toHexDigits(Float.floatToRawIntBits(floats.get(i))));
      }
      case FLOAT8 -> {
        Float8Vector doubles = (Float8Vector) vector;
        yield (out, i) ->
            bits(out, "f64:", HEX.toHexDigits(Double.doubleToRawLongBits(doubles.get(i))));
      }
      case DECIMAL -> {
        DecimalVector decimals = (DecimalVector) vector;
        yield (out, i) -> quote(out, decimals.getObject(i).toPlainString());
      }
      case DECIMAL256 -> {
        Decimal256Vector decimals = (Decimal256Vector) vector;
        yield (out, i) -> quote(out, decimals.getObject(i).toPlainString());
      }
      case DATEDAY -> (out, i) -> out.append(((DateDayVector) vector).get(i));
      case DATEMILLI -> (out, i) -> out.append(((DateMilliVector) vector).get(i));
      case TIMESEC -> (out, i) -> out.append(((TimeSecVector) vector).get(i));
      case TIMEMILLI -> (out, i) -> out.append(((TimeMilliVector) vector).get(i));
      case TIMEMICRO -> (out, i) -> out.append(((TimeMicroVector) vector).get(i));
      case TIMENANO -> (out, i) -> out.append(((TimeNanoVector) vector).get(i));
      case TIMESTAMPSEC,
          TIMESTAMPMILLI,
          TIMESTAMPMICRO,
          TIMESTAMPNANO,
          TIMESTAMPSECTZ,
          TIMESTAMPMILLITZ,
          TIMESTAMPMICROTZ,
          TIMESTAMPNANOTZ -> {
        TimeStampVector stamps = (TimeStampVector) vector;
        yield (out, i) -> out.append(stamps.get(i));
      }
      case DURATION -> (out, i) -> out.append(DurationVector.get(vector.getDataBuffer(), i));
      case VARCHAR -> (out, i) -> quote(out, utf8(((VarCharVector) vector).get(i)));
      case LARGEVARCHAR -> (out, i) -> quote(out, utf8(((LargeVarCharVector) vector).get(i)));
      case VARBINARY -> (out, i) -> hex(out, ((VarBinaryVector) vector).get(i));
      case LARGEVARBINARY -> (out, i) -> hex(out, ((LargeVarBinaryVector) vector).get(i));
      case FIXEDSIZEBINARY -> (out, i) -> hex(out, ((FixedSizeBinaryVector) vector).get(i));
      case LIST -> {
        ListVector lists = (ListVector) vector;
        CanonicalValue items = of(lists.getDataVector(), dictionaries);
        yield (out, i) ->
            array(out, items, lists.getElementStartIndex(i), lists.getElementEndIndex(i));
      }
      case LARGELIST -> {
        LargeListVector lists = (LargeListVector) vector;
        CanonicalValue items = of(lists.getDataVector(), dictionaries);
        yield (out, i) ->
            array(
                out,
                items,
                Math.toIntExact(lists.getElementStartIndex(i)),
                Math.toIntExact(lists.getElementEndIndex(i)));
      }
      case FIXED_SIZE_LIST -> {
        FixedSizeListVector lists = (FixedSizeListVector) vector;
        CanonicalValue items = of(lists.getDataVector(), dictionaries);
        int size = lists.getListSize();
        yield (out, i) -> array(out, items, i * size, (i + 1) * size);
      }
      case STRUCT -> {
        List<FieldVector> children = ((StructVector) vector).getChildrenFromFields();
        yield object(
            children.stream().map(FieldVector::getName).toList(),
            children.stream().map(child -> of(child, dictionaries)).toList());
      }
      case MAP -> {
        ListVector map = (ListVector) vector;
        List<FieldVector> pair = ((StructVector) map.getDataVector()).getChildrenFromFields();
        CanonicalValue entries =
            object(
                List.of("key", "value"),
                pair.stream().map(child -> of(child, dictionaries)).toList());
        yield (out, i) ->
            array(out, entries, map.getElementStartIndex(i), map.getElementEndIndex(i));
      }
      default -> throw new IllegalArgumentException("no canonical form for " + vector.getField());
    };
  }

  /** An object with these members; all writers are asked for the same index. */
  static CanonicalValue object(List<String> names, List<CanonicalValue> values) {
    List<String> keys = names.stream().map(name -> quoted(name) + ':').toList();
    return (out, i) -> {
      out.append('{');
      for (int c = 0; c < keys.size(); c++) {
        if (c > 0) {
          out.append(',');
        }
        out.append(keys.get(c));
        values.get(c).append(out, i);
      }
      out.append('}');
    };
  }

  /** One value as text. */
  static String text(CanonicalValue value, int index) {
    StringBuilder out = new StringBuilder();
    value.append(out, index);
    return out.toString();
  }

  /** {@code text} as a JSON string. */
  static String quoted(String text) {
    StringBuilder out = new StringBuilder();
    quote(out, text);
    return out.toString();
  }

  private static void array(StringBuilder out, CanonicalValue items, int start, int endExclusive) {
    out.append('[');
    for (int i = start; i < endExclusive; i++) {
      if (i > start) {
        out.append(',');
      }
      items.append(out, i);
    }
    out.append(']');
  }

  private static String utf8(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void bits(StringBuilder out, String prefix, String digits) {
    out.append('"').append(prefix).append(digits).append('"');
  }

  private static void hex(StringBuilder out, byte[] bytes) {
    out.append("\"hex:").append(HEX.formatHex(bytes)).append('"');
  }

  private static void quote(StringBuilder out, String value) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20) {
        out.append("\\u").append(HEX.toHexDigits(c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
