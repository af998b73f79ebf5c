import { PARTS } from "@/lib/architect/comparison";
import type { FoundComparison } from "./source";

const HEADLINES: Readonly<Record<string, string>> = {
  wider: "Authority increases: publishing takes a second person",
  architect: "An architect's graph acts outside: publishing takes a second person",
  unattended: "Changes data without an approval: publishing takes a second person",
};

/** Line breaks would forge lines. */
const toLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");

const headlineOf = ({ secondPerson, changes }: FoundComparison): string => {
  if (secondPerson !== null) return HEADLINES[secondPerson] ?? "Publishing takes a second person";

  if (changes.some(({ direction }) => direction === "wider")) return "First version: publishing takes no second person";

  return changes.length > 0 ? "Authority decreases" : "No authority change";
};

const signOf = ({ direction, loosens }: FoundComparison["changes"][number]): string => {
  if (direction === "narrower") return "-";

  return loosens ? "!" : "+";
};

export const formatComparison = (title: string, found: FoundComparison): string => {
  const { changes, unattended, parts, problems } = found;
  const partsOf = (part: (typeof PARTS)[number]): string[] => {
    const those = parts.filter((one) => one.part === part).map(({ id, mark }) => toLine(`${id} ${mark}`));

    return those.length === 0 ? [] : [`  ${part}: ${those.join(", ")}`];
  };
  const errors = problems.filter(({ severity }) => severity === "error");

  return `${[
    toLine(title),
    headlineOf(found),
    ...changes.map((change) => toLine(`${signOf(change)} ${change.text}`)),
    ...unattended.map(({ inside, node, tool }) =>
      toLine(`! ${node}${inside === "" ? "" : ` in ${inside}`} can call ${tool} without an approval`),
    ),
    ...(parts.length === 0 ? [] : ["Changed parts", ...PARTS.flatMap(partsOf)]),
    ...(errors.length === 0 ? [] : ["Errors", ...errors.map(({ code, message }) => toLine(`  ${code}: ${message}`))]),
  ].join("\n")}\n`;
};

/** Foreign text can't end the block. */
export const fenceMarkdown = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);

  return `${fence}diff\n${text}${fence}\n`;
};
