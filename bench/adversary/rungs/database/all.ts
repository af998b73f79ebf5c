import type { Attack } from "@/bench/adversary/rungs/attack";
import { KEY_ATTACKS } from "./keys";

export const DATABASE_ATTACKS: readonly Attack[] = [...KEY_ATTACKS];
