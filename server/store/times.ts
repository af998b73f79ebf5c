import { z } from "zod";

/** A time column as ms since 1970. */
export const msSchema = z.date().transform((at) => at.getTime());
