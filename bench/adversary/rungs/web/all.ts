/** What somebody tries who holds the web process: its database role, its vault key and its session key. */
import type { Attack } from "@/bench/adversary/rungs/attack";
import { ACCOUNT_ATTACKS } from "./accounts";
import { AUTHORITY_ATTACKS } from "./authority";
import { NAME_ATTACKS } from "./names";
import { READ_ATTACKS } from "./reads";

export const WEB_ATTACKS: readonly Attack[] = [...NAME_ATTACKS, ...ACCOUNT_ATTACKS, ...AUTHORITY_ATTACKS, ...READ_ATTACKS];
