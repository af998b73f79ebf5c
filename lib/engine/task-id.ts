import { z } from "zod";

/** Task id as parsed in `lib/engine/task`. `""`: the node's own task. Numbers count from 0. */
export const taskIdSchema = z.string().regex(/^(?:[a-z]{1,20}(?:\.(?:0|[1-9][0-9]{0,4})){0,2})?$/);
