import { formatDuration } from "@/lib/format";
import type { Needs, Rule, When } from "@/lib/approval-rules/rule";

const amountText = ({ from, cents, currency }: NonNullable<When["amount"]>): string => {
  const digits = cents ? 2 : 0;
  const amount = (cents ? from / 100 : from).toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits || 9 });

  return currency ? `${currency.code} ${amount}` : amount;
};

const EFFECTS = { read: "Calls", write: "Changes", irreversible: "Irreversible calls" } as const satisfies Record<When["effect"], string>;

const DATA = {
  internal: "internal or more confidential",
  pii: "personal or secret",
  secret: "secret",
} as const satisfies Record<NonNullable<When["confidentiality"]>, string>;

const list = (parts: readonly string[], word: string): string =>
  [parts.slice(0, -1).join(", "), parts.at(-1)].filter(Boolean).join(` ${word} `);

export const describeWhen = ({ effect, graph, environment, server, tool, amount, confidentiality, untrusted }: When): string =>
  [
    amount ? `${amount.total ? "A run's total " : ""}${amount.argument} from ${amountText(amount)}` : EFFECTS[effect],
    tool === undefined ? (server === undefined ? "" : `on ${server}`) : `in ${tool} on ${server ?? ""}`,
    amount && effect === "irreversible" ? "if irreversible" : "",
    confidentiality || untrusted
      ? `with ${list([...(confidentiality ? [`${DATA[confidentiality]} data`] : []), ...(untrusted ? ["untrusted data"] : [])], "and")}`
      : "",
    graph === undefined ? "" : `by ${graph}`,
    environment === undefined ? "" : `in ${environment}`,
  ]
    .filter(Boolean)
    .join(" ");

const whoText = ({ groups, people, count, escalation }: Needs, names: Readonly<Record<string, string>>): string => {
  const approvals = count === 1 ? "an approval" : `${count} approvals`;
  const known = people.flatMap((id) => names[id] ?? []);
  const unknown = people.length - known.length;
  const unnamed = unknown === 1 ? ["a named person"] : unknown > 1 ? [`${unknown} named people`] : [];
  const who = [...groups, ...known, ...unnamed];

  const later = escalation ? ` (after ${formatDuration(escalation.after_ms)} also by ${escalation.group})` : "";

  return who.length === 0 ? approvals : `${approvals} by ${list(who, "or")}${later}`;
};

export const describeNeeds = (needs: Needs, names: Readonly<Record<string, string>> = {}): string =>
  list(
    [whoText(needs, names), ...(needs.passkey ? ["a passkey"] : []), ...(needs.not_publisher ? ["no approval by the publisher"] : [])],
    "and",
  );

/** "Amount from 1,000.00 in refund on payments needs an approval by Finance." */
export const describeRule = ({ when, needs }: Rule, names: Readonly<Record<string, string>> = {}): string =>
  `${describeWhen(when)} ${when.amount ? "needs" : "need"} ${describeNeeds(needs, names)}.`;
