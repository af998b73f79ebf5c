import type { CallProgress } from "@/lib/mcp/progress";

const FORMAT = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** "3 of 10", or the progress alone if the total is missing or exceeded. */
export const describeProgress = ({ progress, total }: Pick<CallProgress, "progress" | "total">): string =>
  total === null || total <= 0 || progress > total ? FORMAT.format(progress) : `${FORMAT.format(progress)} of ${FORMAT.format(total)}`;
