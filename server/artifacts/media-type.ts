const encodeLatin = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

type Sign = { readonly type: string; readonly at: number; readonly bytes: Uint8Array };

const sign = (type: string, text: string, at = 0): Sign => ({ type, at, bytes: encodeLatin(text) });

const SIGNS: readonly Sign[] = [
  sign("image/png", "\u0089PNG\r\n\u001a\n"),
  sign("image/jpeg", "\u00ff\u00d8\u00ff"),
  sign("image/gif", "GIF87a"),
  sign("image/gif", "GIF89a"),
  sign("application/pdf", "%PDF-"),
  sign("application/zip", "PK\u0003\u0004"),
  sign("application/gzip", "\u001f\u008b"),
];

const has = (bytes: Uint8Array, { at, bytes: wanted }: Sign): boolean => wanted.every((byte, index) => bytes[at + index] === byte);

const isWebp = (bytes: Uint8Array): boolean => has(bytes, sign("", "RIFF")) && has(bytes, sign("", "WEBP", 8));

const isPrintable = (byte: number): boolean => byte >= 32 || [9, 10, 12, 13, 27].includes(byte);

const isText = (bytes: Uint8Array): boolean =>
  // A character may be cut off at the end.
  bytes.every(isPrintable) && !new TextDecoder().decode(bytes, { stream: true }).includes("\ufffd");

const TEXTS: Readonly<Record<string, string>> = { csv: "text/csv", json: "application/json", md: "text/markdown" };

export const sniffMediaType = (head: Uint8Array, name: string): string => {
  const found = SIGNS.find((each) => has(head, each));
  if (found) return found.type;
  if (isWebp(head)) return "image/webp";
  if (!isText(head)) return "application/octet-stream";
  const extension = /\.([a-z]+)$/iu.exec(name)?.[1]?.toLowerCase() ?? "";

  return Object.hasOwn(TEXTS, extension) ? (TEXTS[extension] ?? "") : "text/plain";
};
