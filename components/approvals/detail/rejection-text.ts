import type { IfDeclined } from "@/lib/engine/approvals/rejection";

const undoneLine = ({ undone }: IfDeclined): readonly string[] =>
  undone.length === 0
    ? []
    : [
        `First, the run rolls back its effects, newest first: ${undone.map(({ server, tool, node }) => `${server}.${tool} for ${node}`).join(", ")}.`,
      ];

const codeText = (code: string | null): string => (code === null ? "" : ` (${code.replaceAll("_", " ")})`);

const goesOn = ({ next, ends, rests, code }: IfDeclined): string => {
  if (ends !== null) return `The run ends as ${ends}${codeText(code)}.`;
  if (next !== null) return `The run continues at ${next.title || next.node}${codeText(code)}.`;

  return rests ? "The run stays at the previous step until its agent takes another action." : `The run waits${codeText(code)}.`;
};

/** Describes the outcome. @param isQuestion a tool asked for input */
export const describeRejectionLines = (ifRejected: IfDeclined, isQuestion = false): readonly string[] => [
  isQuestion ? "The tool is told that its question was declined, and its call continues." : "Nothing proposed here is carried out.",
  ...undoneLine(ifRejected),
  goesOn(ifRejected),
];

/** Continues "Expires in 3 h, then". */
export const describeExpiryEnd = ({ next, ends, rests }: IfDeclined): string => {
  if (ends !== null) return `the run ends as ${ends}`;
  if (next !== null) return `the run continues at ${next.title || next.node}`;

  return rests ? "its agent chooses another action" : "the run waits";
};
