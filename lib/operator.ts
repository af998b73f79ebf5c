/** No account has it. */
export const OPERATOR_ID = "00000000-0000-0000-0000-000000000000";
