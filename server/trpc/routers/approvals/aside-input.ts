import { z } from "zod";

/** Requests chosen in the inbox. */
export const approvalIdsSchema = z.array(z.uuid()).min(1).max(200);
