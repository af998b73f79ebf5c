import type { IfRejected } from "@/lib/engine/approvals/rejection";

const undoneLine = ({ undone }: IfRejected): readonly string[] =>
  undone.length === 0
    ? []
    : [
        `First, the run rolls back its effects, newest first: ${undone.map(({ server, tool, node }) => `${server}.${tool} for ${node}`).join(", ")}.`,
      ];

const codeText = (code: string | null): string => (code === null ? "" : ` (${code.replaceAll("_", " ")})`);

const goesOn = ({ next, ends, rests, code }: IfRejected): string => {
  if (ends !== null) return `The run ends as ${ends}${codeText(code)}.`;
  if (next !== null) return `The run continues at ${next.title || next.node}${codeText(code)}.`;

  return rests ? "The run stays at the previous step until its agent takes another action." : `The run waits${codeText(code)}.`;
};

/** Describes the outcome. @param isQuestion a tool asked for input */
export const describeRejectionLines = (ifRejected: IfRejected, isQuestion = false): readonly string[] => [
  isQuestion ? "The tool is told that its question was declined, and its call continues." : "Nothing proposed here is carried out.",
  ...undoneLine(ifRejected),
  goesOn(ifRejected),
];
