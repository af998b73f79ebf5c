import { count } from "@/lib/format";
import type { ApprovalDetails } from "@/components/approvals/types";
import { formatOpenTime } from "./open-time";

type Decision = ApprovalDetails["decisions"][number];

const plural = (number: number, word: string): string => `${count(number)} ${word}${number === 1 ? "" : "s"}`;

const seenText = ({ opened, unopened }: NonNullable<Decision["viewing"]>): string =>
  unopened === 0 ? `saw all ${plural(opened, "value")} to see` : `left ${plural(unopened, "value")} of ${count(opened + unopened)} unseen`;

/** `with a passkey, open for 48 s, saw all 4 values to see, 3 signals shown`. */
export const describeHow = ({ isSigned, viewing }: Pick<Decision, "isSigned" | "viewing">): string =>
  [
    ...(isSigned ? ["with a passkey"] : []),
    ...(viewing === null
      ? []
      : [`open for ${formatOpenTime(viewing.openMs)}`, seenText(viewing), `${plural(viewing.signals, "signal")} shown`]),
  ].join(", ");
