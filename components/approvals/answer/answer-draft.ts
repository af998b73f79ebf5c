import type { ApprovalView } from "@/lib/engine/approvals/approval-view";
import {
  findFieldFault,
  inputQuestionSchema,
  type InputAnswers,
  type InputField,
  type InputQuestion,
  type InputValue,
} from "@/lib/engine/approvals/tool-input";

/** By place: typed texts, or option indexes. */
export type Entered = Readonly<Record<string, readonly string[]>>;

export const placeOf = (question: number, field: number): string => `${question}.${field}`;

/** Questions of the view; null: one is hidden from this reader. */
export const listQuestions = ({ lines }: ApprovalView): readonly InputQuestion[] | null => {
  const asked = lines.filter(({ op }) => op === "ask");
  const questions = asked.flatMap(({ after }) => {
    const parsed = after === null || after.hidden ? null : inputQuestionSchema.safeParse(after.value);

    return parsed?.success ? [parsed.data] : [];
  });

  return questions.length === asked.length ? questions : null;
};

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/u;

/** Text that is not a number becomes `NaN`: invalid, not missing. */
const valueOf = (field: InputField, typed: readonly string[]): InputValue | undefined => {
  const [first = ""] = typed;
  switch (field.kind) {
    case "text":
      return first === "" ? undefined : first;
    case "number":
      if (first.trim() === "") return undefined;

      return NUMBER.test(first.trim()) ? Number(first) : Number.NaN;
    case "boolean":
      return first === "" ? undefined : first === "yes";
    case "choice":
      return first === "" ? undefined : field.options[Number(first)]?.value;
    case "choices":
      return typed.length === 0 && !field.required ? undefined : typed.flatMap((index) => field.options[Number(index)]?.value ?? []);
    default:
      return field satisfies never;
  }
};

export type Draft = {
  readonly answers: InputAnswers | null;
  readonly faults: ReadonlyMap<string, string>;
};

export const toDraft = (questions: readonly InputQuestion[], entered: Entered): Draft => {
  const faults = new Map<string, string>();
  const answers = questions.map(({ fields }, question) =>
    Object.fromEntries(
      fields.flatMap((field, index): [string, InputValue][] => {
        const place = placeOf(question, index);
        const value = valueOf(field, entered[place] ?? []);
        const fault = findFieldFault(field, value);
        if (fault !== null) faults.set(place, fault);

        return value === undefined ? [] : [[field.name, value]];
      }),
    ),
  );

  return { answers: faults.size === 0 ? answers : null, faults };
};

const counted = (count: number, unit: string): string => (unit === "" ? `${count}` : `${count} ${unit}${count === 1 ? "" : "s"}`);

const bounds = (least: number | undefined, most: number | undefined, unit: string): string[] => {
  if (least !== undefined && most !== undefined) return [`${least} to ${counted(most, unit)}`];
  if (least !== undefined) return [`at least ${counted(least, unit)}`];

  return most === undefined ? [] : [`at most ${counted(most, unit)}`];
};

const limitsOf = (field: InputField): string[] => {
  switch (field.kind) {
    case "text":
      return [...(field.format ? [field.format] : []), ...bounds(field.min_length, field.max_length, "character")];
    case "number":
      return [...(field.integer ? ["a whole number"] : []), ...bounds(field.minimum, field.maximum, "")];
    case "choices":
      return bounds(field.min_items, field.max_items, "choice");
    case "boolean":
    case "choice":
      return [];
    default:
      return field satisfies never;
  }
};

/** Describes what a field accepts. */
export const describeHint = (field: InputField): string => [...(field.required ? [] : ["optional"]), ...limitsOf(field)].join("; ");
