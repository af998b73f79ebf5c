import { jsonSchema, type Json } from "@/lib/json";
import { sanitizeJson } from "@/lib/sanitize/json";

/** `recalled`: facts of earlier runs; `note`: a reviewer's request for changes; `earlier`: shortened turns. */
export type EnvelopeType = "goal" | "memory" | "recalled" | "task" | "tool_result" | "pasted" | "note" | "earlier" | "file";

/** Escapes `<`, so that no content can contain our delimiter. */
const escaped = (value: Json): string => JSON.stringify(sanitizeJson(value), null, 1).replaceAll("<", String.raw`\u003c`);

export const wrapUntrusted = (type: EnvelopeType, value: Json): string =>
  `<untrusted type="${type}" encoding="json">\n${escaped(value)}\n</untrusted>`;

const ENVELOPE = /<untrusted type="(?<type>[a-z_]+)" encoding="json">\n(?<body>[^<]*)\n<\/untrusted>/g;

export const readEnvelopes = (text: string, type: EnvelopeType): Json[] =>
  [...text.matchAll(ENVELOPE)]
    .filter((match) => match.groups?.["type"] === type)
    .map((match) => jsonSchema.parse(JSON.parse(match.groups?.["body"] ?? "null")));
