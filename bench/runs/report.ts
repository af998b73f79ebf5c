import type { Measured, Opened } from "./measure";

type Row = {
  readonly name: string;
  readonly value: number;
  readonly unit: "" | " ms" | " MB";
  /** Passes below this. */
  readonly below?: number;
};

const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);

  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

const median = (values: readonly number[]): number => quantile(values, 0.5);

const rowsOf = (measured: Measured): readonly Row[] => {
  const of = (list: readonly Opened[], pick: (one: Opened) => number) => median(list.map(pick));
  const { opened, deep, jumpMs, stepMs } = measured;

  return [
    { name: "first rows", value: of(opened, (one) => one.rowsMs), unit: " ms", below: 600 },
    { name: "first rows, opened at a record in the middle", value: of(deep, (one) => one.rowsMs), unit: " ms", below: 600 },
    { name: "state after that record", value: of(deep, (one) => one.stateMs), unit: " ms" },
    { name: "every record there and gone through", value: of(opened, (one) => one.wholeMs), unit: " ms" },
    { name: "worst long task while opening", value: of(opened, (one) => one.worstTaskMs), unit: " ms" },
    { name: "rows in the page", value: measured.mountedRows, unit: "", below: 80 },
    { name: "jump to any record, median", value: median(jumpMs), unit: " ms", below: 200 },
    { name: "jump to any record, worst", value: Math.max(...jumpMs), unit: " ms", below: 200 },
    { name: "step to the next record, median", value: median(stepMs), unit: " ms", below: 100 },
    { name: "step to the next record, 95th percentile", value: quantile(stepMs, 0.95), unit: " ms" },
    { name: "worst long task while scrolling", value: measured.scrollWorstTaskMs, unit: " ms", below: 51 },
    { name: "worst long task while playing at 16×", value: measured.playWorstTaskMs, unit: " ms" },
    { name: "memory of the page's scripts", value: measured.heapMb, unit: " MB" },
    { name: "verified in the browser once the records are there", value: measured.checkMs, unit: " ms", below: 3_000 },
    { name: "verified in the browser, fetching included", value: measured.verifyMs, unit: " ms" },
    { name: "times that its progress was told", value: measured.verifyProgress, unit: "" },
  ];
};

const isMet = ({ value, below }: Row): boolean => below === undefined || value < below;

export const isWithin = (measured: Measured): boolean => rowsOf(measured).every(isMet);

export const reportOf = (measured: Measured): string => {
  const rows = rowsOf(measured).map((row) => {
    const budget = row.below === undefined ? "" : ` (${isMet(row) ? "within" : "OVER"} ${row.below})`;

    return [row.name, `${Math.round(row.value)}${row.unit}${budget}`];
  });

  return [["", `${measured.records} records`], ["---", "---"], ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
};
