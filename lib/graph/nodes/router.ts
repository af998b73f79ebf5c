import { z } from "zod";

/** Only its outgoing edges decide. */
export const routerConfigSchema = z.strictObject({});
