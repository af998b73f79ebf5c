/** The one form in which a model is shown what others wrote: typed, JSON inside, and impossible to close from within. */
import { jsonSchema, type Json } from "@/lib/json";
import { sanitizeJson } from "@/lib/sanitize/json";

/**
 * `recalled`: what earlier runs left; `task`: what one part of a step is about; `pasted`: what a person put beside their words;
 * `note`: what a person said who sent something back.
 */
export type EnvelopeType = "goal" | "memory" | "recalled" | "task" | "tool_result" | "pasted" | "note";

/** `<` is written as its JSON escape, so that no content, however it is spelled, can contain our delimiter. */
const escaped = (value: Json): string => JSON.stringify(sanitizeJson(value), null, 1).replaceAll("<", String.raw`\u003c`);

export const untrusted = (type: EnvelopeType, value: Json): string =>
  `<untrusted type="${type}" encoding="json">\n${escaped(value)}\n</untrusted>`;

const ENVELOPE = /<untrusted type="(?<type>[a-z_]+)" encoding="json">\n(?<body>[^<]*)\n<\/untrusted>/g;

/** What the envelopes of one type in a text contain. The scripted models read their prompts through this. */
export const readEnvelopes = (text: string, type: EnvelopeType): Json[] =>
  [...text.matchAll(ENVELOPE)]
    .filter((match) => match.groups?.["type"] === type)
    .map((match) => jsonSchema.parse(JSON.parse(match.groups?.["body"] ?? "null")));
