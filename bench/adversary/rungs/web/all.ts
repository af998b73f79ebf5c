/** With the web process's role, vault key and cookie key. */
import type { Attack } from "@/bench/adversary/rungs/attack";
import { ACCOUNT_ATTACKS } from "./accounts";
import { ADMIN_ATTACKS } from "./admins";
import { AGENT_ATTACKS } from "./agents";
import { AUTHORITY_ATTACKS } from "./authority";
import { FUNCTION_ATTACKS } from "./functions";
import { NAME_ATTACKS } from "./names";
import { READ_ATTACKS } from "./reads";
import { SIGNING_ATTACKS } from "./signing";
import { SESSION_ATTACKS } from "./sessions";

export const WEB_ATTACKS: readonly Attack[] = [
  ...NAME_ATTACKS,
  ...SESSION_ATTACKS,
  ...ACCOUNT_ATTACKS,
  ...AUTHORITY_ATTACKS,
  ...READ_ATTACKS,
  ...FUNCTION_ATTACKS,
  ...SIGNING_ATTACKS,
  ...ADMIN_ATTACKS,
  ...AGENT_ATTACKS,
];
