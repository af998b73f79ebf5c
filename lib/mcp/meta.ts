/** Names under which a call carries more than its arguments. */

/** The same for each repetition of one effect. */
export const IDEMPOTENCY_KEY = "countersign/idempotency-key";
/** The receipt of the approval, for effects that a person approved. */
export const RECEIPT = "countersign/receipt";
