import { z } from "zod";

type Bounds = {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly isInteger: boolean;
};

const known = new WeakMap<z.ZodType, Bounds>();

const readBounds = (schema: z.ZodType): Bounds => {
  const { type, ...json } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  // zod bounds every integer.
  const isOwn = (bound: number | undefined) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const pick = (...bounds: (number | undefined)[]) => bounds.find(isOwn);

  return {
    min: pick(json.minimum, json.minLength, json.minItems),
    max: pick(json.maximum, json.maxLength, json.maxItems),
    isInteger: type === "integer",
  };
};

/** Reads bounds of a number, or of a text's or list's length. */
export const getBounds = (schema: z.ZodType): Bounds => {
  const bounds = known.get(schema) ?? readBounds(schema);
  known.set(schema, bounds);

  return bounds;
};

const count = (number: number): string => number.toLocaleString("en");

/** Explains why a text is too short or too long. */
export const findLengthFault = (schema: z.ZodType, text: string): string | null => {
  const { min = 0, max = Infinity } = getBounds(schema);
  if (text.length >= min && text.length <= max) return null;
  if (max === Infinity) return `At least ${count(min)} characters.`;

  return min === 0 ? `At most ${count(max)} characters.` : `${count(min)} to ${count(max)} characters.`;
};

/** Explains why a list takes no more items. */
export const findFullFault = (schema: z.ZodType, length: number): string | null => {
  const { max } = getBounds(schema);

  return max !== undefined && length >= max ? `At most ${count(max)}` : null;
};
