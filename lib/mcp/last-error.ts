export type LastError = { readonly message: string; readonly output: string | null };

const SEPARATOR = "\n\n";

export const joinLastError = ({ message, output }: LastError): string => {
  const line = message.replaceAll(/\s+/g, " ").trim();

  return output === null || output === "" ? line : `${line}${SEPARATOR}${output}`;
};

/** Splits a stored error; old ones are the message alone. */
export const splitLastError = (stored: string): LastError => {
  const at = stored.indexOf(SEPARATOR);

  return at < 0 ? { message: stored, output: null } : { message: stored.slice(0, at), output: stored.slice(at + SEPARATOR.length) };
};
