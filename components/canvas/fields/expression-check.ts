import { compileExpression } from "@/lib/graph/condition";

const MAX_LENGTH = 2_000;

/** Explains why the text does not compile. */
export const findExpressionFault = (text: string): string | null => {
  if (text.length > MAX_LENGTH) return "At most 2,000 characters.";
  if (text.trim() === "") return "Required.";
  const compiled = compileExpression(text);

  // Omits the compiler's file position.
  return compiled.ok ? null : `${compiled.error.replace(/^<input>:(\d+):(\d+): /, "Line $1, character $2: ")}.`;
};
