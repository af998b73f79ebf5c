import { z } from "zod";

/** CEL expression text, compiled by `lib/graph/condition`. */
export const expressionSchema = z.string().min(1).max(2_000);
