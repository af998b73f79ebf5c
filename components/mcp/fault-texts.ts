/** Why a call brought no usable answer, as people read it. */
const FAULTS: Readonly<Record<string, string>> = {
  unreachable: "there was no connection to call over",
  not_plain_json: "the answer was not plain JSON",
  nul_character: "the answer contained a NUL character",
  value_too_deep: "the answer was nested too deep",
  value_too_large: "the answer was larger than its limit",
  timeout: "no answer came in time",
  connection_lost: "the connection ended before the answer",
  result_invalid: "the answer did not match the tool's output schema",
  protocol_error: "the server refused the request",
};

/** @param code as the runner noted it; one that is not known here stands for itself */
export const faultText = (code: string): string => (Object.hasOwn(FAULTS, code) ? (FAULTS[code] ?? code) : code);
