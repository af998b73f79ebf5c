/** With only an account and a browser. */
import type { Attack } from "@/bench/adversary/rungs/attack";
import { PROGRAM_ATTACKS } from "./programs";
import { TENANT_ATTACKS } from "./tenants";
import { VALUE_ATTACKS } from "./values";

export const ADMIN_ATTACKS: readonly Attack[] = [...PROGRAM_ATTACKS, ...VALUE_ATTACKS, ...TENANT_ATTACKS];
