import type { CallProgress } from "@/lib/mcp/progress";

const FORMAT = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** "3 of 10", as the server counts; with no total, or one that is passed already, only how far it says it is. */
export const progressText = ({ progress, total }: Pick<CallProgress, "progress" | "total">): string =>
  total === null || total <= 0 || progress > total ? FORMAT.format(progress) : `${FORMAT.format(progress)} of ${FORMAT.format(total)}`;
