import { isAllowed, type Role } from "@/lib/roles";

/** A decider's own requests; everybody's for others. */
export const waitingInput = (role: Role) => ({ filter: { mine: isAllowed(role, "approval.decide") } });
