package dev.narwhal.lance.datafile;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Alters one thing in a message, however deep: a number, a list, a choice. */
final class MessageMutator {
  private final Random random;

  MessageMutator(Random random) {
    this.random = random;
  }

  /** A place in a tree of builders. */
  private record Site(Message.Builder owner, FieldDescriptor field) {}

  void mutate(Message.Builder message) {
    List<Site> sites = new ArrayList<>();
    collect(message, sites);
    if (sites.isEmpty() || random.nextInt(20) == 0) {
      addAbsent(message);
      return;
    }
    Site site = sites.get(random.nextInt(sites.size()));
    if (site.field().isRepeated()) {
      mutateList(site);
    } else if (random.nextInt(12) == 0) {
      site.owner().clearField(site.field());
    } else if (site.field().getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
      addAbsent(site.owner().getFieldBuilder(site.field()));
    } else {
      Object old = site.owner().getField(site.field());
      site.owner().setField(site.field(), mutated(site.field(), old));
    }
  }

  /** A number near an old one, or one where mistakes are likely. */
  long number(long old) {
    return switch (random.nextInt(9)) {
      case 0 -> 0;
      case 1 -> old + 1;
      case 2 -> old - 1;
      case 3 -> old * 2;
      case 4 -> -1;
      case 5 -> 1L << random.nextInt(64);
      case 6 -> (1L << random.nextInt(64)) - 1;
      case 7 -> random.nextInt(300);
      default -> old ^ 1L << random.nextInt(16);
    };
  }

  private static void collect(Message.Builder message, List<Site> sites) {
    for (FieldDescriptor field : message.getAllFields().keySet()) {
      sites.add(new Site(message, field));
      if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE || field.isMapField()) {
        continue;
      }
      if (field.isRepeated()) {
        for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
          collect(message.getRepeatedFieldBuilder(field, i), sites);
        }
      } else {
        collect(message.getFieldBuilder(field), sites);
      }
    }
  }

  /** Sets a field that the message may or may not have; one of a choice replaces the others. */
  private void addAbsent(Message.Builder message) {
    List<FieldDescriptor> fields = message.getDescriptorForType().getFields();
    if (fields.isEmpty()) {
      return;
    }
    FieldDescriptor field = fields.get(random.nextInt(fields.size()));
    if (field.isMapField()) {
      message.clearField(field);
    } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
      Message value = message.newBuilderForField(field).build();
      if (field.isRepeated()) {
        message.addRepeatedField(field, value);
      } else {
        message.setField(field, value);
      }
    } else if (field.isRepeated()) {
      message.addRepeatedField(
          field,
          mutated(
              field,
              field.getType().equals(FieldDescriptor.Type.ENUM)
                  ? field.getEnumType().getValues().get(0)
                  : zero(field)));
    } else {
      message.setField(field, mutated(field, message.getField(field)));
    }
  }

  private static Object zero(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case INT -> 0;
      case LONG -> 0L;
      case BYTE_STRING -> ByteString.EMPTY;
      case STRING -> "";
      case BOOLEAN -> false;
      case FLOAT -> 0f;
      case DOUBLE -> 0.0;
      case ENUM -> field.getEnumType().getValues().get(0);
      case MESSAGE -> throw new IllegalArgumentException("messages have no zero");
    };
  }

  private void mutateList(Site site) {
    Message.Builder owner = site.owner();
    FieldDescriptor field = site.field();
    List<Object> values = new ArrayList<>((List<?>) owner.getField(field));
    int at = random.nextInt(values.size());
    switch (random.nextInt(4)) {
      case 0 -> values.remove(at);
      case 1 -> values.add(at, values.get(random.nextInt(values.size())));
      case 2 -> values.set(at, values.get(random.nextInt(values.size())));
      default -> {
        if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
          values.set(at, mutated(field, values.get(at)));
        }
      }
    }
    owner.setField(field, values);
  }

  private Object mutated(FieldDescriptor field, Object old) {
    return switch (field.getJavaType()) {
      case INT -> (int) number((Integer) old);
      case LONG -> number((Long) old);
      case BOOLEAN -> !(Boolean) old;
      case FLOAT -> (float) number(0);
      case DOUBLE -> (double) number(0);
      case STRING -> text((String) old);
      case BYTE_STRING -> ByteString.copyFrom(bytes(((ByteString) old).toByteArray()));
      case ENUM -> {
        List<EnumValueDescriptor> values = field.getEnumType().getValues();
        yield values.get(random.nextInt(values.size()));
      }
      case MESSAGE -> throw new IllegalArgumentException("messages are altered inside");
    };
  }

  /** Names of types are the texts that matter: other types, other numbers. */
  private String text(String old) {
    String[] known = {
      "struct",
      "list",
      "large_list",
      "map",
      "string",
      "int32",
      "int64",
      "bool",
      "null",
      "binary",
      "fixed_size_list:float:4",
      "fixed_size_list:int8:2147483647",
      "fixed_size_binary:2147483647",
      "dict:string:int8:false",
      "decimal:128:10:2",
      "fixed_size_list:struct:3",
      "large_binary",
      "fixed_size_list:fixed_size_list:double:65536:65536",
      "zstd",
      "lz4",
      "",
      "true",
      "json"
    };
    if (old.isEmpty() || random.nextInt(2) == 0) {
      return known[random.nextInt(known.length)];
    }
    char[] chars = old.toCharArray();
    chars[random.nextInt(chars.length)] = (char) ('!' + random.nextInt(94));
    return new String(chars);
  }

  private byte[] bytes(byte[] old) {
    byte[] bytes =
        java.util.Arrays.copyOf(
            old, random.nextInt(4) == 0 ? random.nextInt(old.length + 9) : old.length);
    if (bytes.length > 0) {
      bytes[random.nextInt(bytes.length)] = (byte) number(0);
    }
    return bytes;
  }
}
