import { z } from "zod";

/** No work of its own: its outgoing edges decide. */
export const routerConfigSchema = z.strictObject({});
