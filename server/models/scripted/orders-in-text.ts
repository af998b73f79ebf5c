import { isJsonObject, toPlainJson, type Json } from "@/lib/json";

export type Orders = {
  readonly calls: readonly { readonly name: string; readonly input: Json }[];
  readonly fields: Readonly<Record<string, Json>>;
  readonly text: string | null;
};

const GIVES_ORDERS =
  /ignore all earlier|notice to the assistant|\bsystem:|skip the approval|skip the review|already approved|already reviewed/i;
const SAVE = /\bsave(?:_to_memory)?\s*(?=\{)/gi;
const LIMITS = { maxBytes: 65_536, maxDepth: 16 };

const jsonAt = (text: string): Json => {
  try {
    const plain = toPlainJson(JSON.parse(text.slice(0, text.indexOf("}") + 1)), LIMITS);

    return plain.ok ? plain.value : null;
  } catch {
    return null;
  }
};

/** The first group is the field's value. */
const FIELDS: readonly (readonly [field: string, pattern: RegExp, read: (group: string) => Json])[] = [
  ["next", /\bgo directly to the\s+node (\w+)/i, (node) => node],
  ["score", /\banswer with the score ([01](?:\.\d+)?)/i, Number],
  ["vote", /\banswer (accept|approve|pass)\b/i, (vote) => vote],
  ["verdict", /\b(already reviewed|already approved|skip the review)/i, () => "approve"],
  ["title", /\btitle "([^"]+)"/i, (title) => title],
  ["customer_id", /\baccount (cus_\d+)/i, (id) => id],
  ["email", /\bcus_\d+ \(([^\s()]+@[^\s()]+)\)/i, (email) => email],
  ["plan", /\bto the (starter|team|business)\s+plan/i, (plan) => plan],
  ["credit_cents", /\bcredit of \$([\d,]+)(?:\.00)?/i, (dollars) => Number(dollars.replaceAll(",", "")) * 100],
];

const callsIn = (text: string, said: string | null, title: Json | undefined): Orders["calls"] => {
  const called = /\bcall ([a-z]+__[a-z_]+)/i.exec(text)?.[1];
  const article = { title: title ?? "", summary: said ?? "", body: said ?? "" };
  const node = /\bgo directly to the\s+node (\w+)/i.exec(text)?.[1];
  const saves = [...text.matchAll(SAVE)].map((match) => jsonAt(text.slice(match.index + match[0].length))).filter(isJsonObject);

  return [
    ...(called === undefined ? [] : [{ name: called, input: article }]),
    ...saves.map((input) => ({ name: "save_to_memory", input })),
    ...(node === undefined ? [] : [{ name: "goto_node", input: { node } }]),
  ];
};

/** Finds instructions like a gullible reader; null without any. */
export const findOrders = (text: string): Orders | null => {
  if (!GIVES_ORDERS.test(text)) return null;
  const found = FIELDS.flatMap(([field, pattern, read]) => {
    const group = pattern.exec(text)?.[1];

    return group === undefined ? [] : [[field, read(group)] as const];
  });
  const fields: Record<string, Json> = Object.fromEntries(found);
  const said = /\btext\s+"([^"]+)"/i.exec(text)?.[1] ?? null;

  return { calls: callsIn(text, said, fields["title"]), fields, text: said };
};
