import { z } from "zod";

const SHRED_REASONS = ["erasure_request", "retention_over", "leaked", "entered_by_mistake"] as const;
export const shredReasonSchema = z.enum(SHRED_REASONS);
