import { z } from "zod";

/** The name of a part of a node's work, as `lib/engine/task` understands it. `""`: the node's own. Numbers count from 0. */
export const taskIdSchema = z.string().regex(/^(?:[a-z]{1,20}(?:\.(?:0|[1-9][0-9]{0,4})){0,2})?$/);
