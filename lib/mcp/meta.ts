/** Constant over repetitions of an effect. */
export const IDEMPOTENCY_KEY = "countersign/idempotency-key";
export const RECEIPT = "countersign/receipt";
