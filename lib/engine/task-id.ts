import { z } from "zod";

/** `""`: the node's own. Numbers from 0. */
export const taskIdSchema = z.string().regex(/^(?:[a-z]{1,20}(?:\.(?:0|[1-9][0-9]{0,4})){0,2})?$/);
