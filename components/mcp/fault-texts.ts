const FAULTS: Readonly<Record<string, string>> = {
  unreachable: "no connection to the server",
  not_plain_json: "the response was not plain JSON",
  nul_character: "the response contained a NUL character",
  value_too_deep: "the response was nested too deeply",
  value_too_large: "the response was too large",
  timeout: "no response in time",
  connection_lost: "the connection was lost before a response",
  result_invalid: "the response did not match the tool's output schema",
  protocol_error: "the server refused the request",
};

/** @param code by the runner; unknown codes stay */
export const describeFault = (code: string): string => (Object.hasOwn(FAULTS, code) ? (FAULTS[code] ?? code) : code);
