/** Any database statement, no keys. */
import type { Attack } from "@/bench/adversary/rungs/attack";
import { COMMAND_ATTACKS } from "./commands";
import { KEY_ATTACKS } from "./keys";
import { LEDGER_ATTACKS } from "./ledger";
import { OUTSIDE_ATTACKS } from "./outside";
import { PEOPLE_ATTACKS } from "./people";
import { POLICY_ATTACKS } from "./policy";
import { REGISTRY_ATTACKS } from "./registry";
import { ROLLBACK_ATTACKS } from "./rollback";
import { VERSION_ATTACKS } from "./versions";

export const DATABASE_ATTACKS: readonly Attack[] = [
  ...KEY_ATTACKS,
  ...VERSION_ATTACKS,
  ...REGISTRY_ATTACKS,
  ...ROLLBACK_ATTACKS,
  ...COMMAND_ATTACKS,
  ...PEOPLE_ATTACKS,
  ...POLICY_ATTACKS,
  ...OUTSIDE_ATTACKS,
  ...LEDGER_ATTACKS,
];
