package dev.narwhal.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** The result of a verb, in the two forms a user can ask for. */
public interface Report {
  /** Writes the members of one JSON object; the braces are the caller's. */
  void json(JsonGenerator json) throws IOException;

  /** Appends lines for a person, the last one ended too. */
  void text(StringBuilder text);
}
