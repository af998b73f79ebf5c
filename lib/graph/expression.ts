import { z } from "zod";

/** The text of a CEL expression; `lib/graph/condition` compiles it. */
export const expressionSchema = z.string().min(1).max(2_000);
