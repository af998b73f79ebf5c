import { namesPeople, type Needs, type Rule, type When } from "@/lib/approval-rules/rule";

const amountText = ({ from, cents, currency }: NonNullable<When["amount"]>): string => {
  const digits = cents ? 2 : 0;
  const amount = (cents ? from / 100 : from).toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits || 9 });

  return currency ? `${currency.code} ${amount}` : amount;
};

const EFFECTS = { read: "calls", write: "changes", irreversible: "irreversible calls" } as const satisfies Record<When["effect"], string>;

/** Describes when a rule applies. */
export const describeWhen = ({ effect, graph, server, tool, amount, confidentiality, untrusted }: When): string =>
  [
    amount ? `${amount.argument} from ${amountText(amount)}` : EFFECTS[effect],
    tool === undefined ? (server === undefined ? "" : `on ${server}`) : `in ${tool} on ${server ?? ""}`,
    amount && effect === "irreversible" ? "if irreversible" : "",
    confidentiality ? `with ${confidentiality}${confidentiality === "secret" ? "" : " or more confidential"} data` : "",
    untrusted ? "with untrusted data" : "",
    graph === undefined ? "" : `by ${graph}`,
  ]
    .filter(Boolean)
    .join(" ");

const list = (parts: readonly string[], word: string): string =>
  [parts.slice(0, -1).join(", "), parts.at(-1)].filter(Boolean).join(` ${word} `);

const whoText = (needs: Needs, names: Readonly<Record<string, string>>): string => {
  if (!namesPeople(needs)) return needs.count === 1 ? "an approval" : `${needs.count} approvals`;
  const who = [...needs.groups, ...needs.people.map((id) => names[id] ?? "a named person")];

  return `${needs.count === 1 ? "a person" : `${needs.count} people`} of ${list([...new Set(who)], "or")}`;
};

export const describeNeeds = (needs: Needs, names: Readonly<Record<string, string>> = {}): string =>
  list(
    [whoText(needs, names), ...(needs.passkey ? ["a passkey"] : []), ...(needs.not_publisher ? ["no approval by the publisher"] : [])],
    "and",
  );

/** Describes a rule: "amount from 1,000.00 in refund on payments needs a person of Finance." */
export const describeRule = ({ when, needs }: Rule, names: Readonly<Record<string, string>> = {}): string => {
  const text = describeWhen(when);
  const subject = when.amount ? `${text} needs` : `${text.charAt(0).toUpperCase()}${text.slice(1)} need`;

  return `${subject} ${describeNeeds(needs, names)}.`;
};
