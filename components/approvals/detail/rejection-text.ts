/** What a rejection leads to, in sentences. */
import type { IfRejected } from "@/lib/engine/approvals/rejection";

/** A run that undoes first still ends, or goes on, as it says. */
const undoneLine = ({ undone }: IfRejected): readonly string[] =>
  undone.length === 0
    ? []
    : [`First it undoes what it did, newest first: ${undone.map(({ server, tool, node }) => `${server}.${tool} for ${node}`).join(", ")}.`];

const codeText = (code: string | null): string => (code === null ? "" : ` (${code.replaceAll("_", " ")})`);

const goesOn = ({ next, ends, rests, code }: IfRejected): string => {
  if (ends !== null) return `The run ends as ${ends}${codeText(code)}.`;
  if (next !== null) return `The run goes on at ${next.title || next.node}${codeText(code)}.`;

  return rests ? "The run rests where it was, until its agent takes another action." : `The run waits${codeText(code)}.`;
};

/** @param isQuestion a tool asks for something, and hears a no */
export const rejectionLines = (ifRejected: IfRejected, isQuestion = false): readonly string[] => [
  isQuestion ? "The tool is told that nobody answers; its call goes on with that." : "Nothing of what is proposed happens.",
  ...undoneLine(ifRejected),
  goesOn(ifRejected),
];
