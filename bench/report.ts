/** `NaN` without values. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);

  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Two significant digits below ten, else integers. */
export const figure = (value: number | null, unit = ""): string => {
  if (value === null || Number.isNaN(value)) return "-";
  const digits = Math.abs(value) >= 10 ? 0 : 2;

  return `${value.toLocaleString("en-US", { maximumFractionDigits: digits })}${unit === "" ? "" : ` ${unit}`}`;
};

export const ratio = (value: number | null, of: number | null): string =>
  value === null || of === null || of === 0 ? "-" : `${(value / of).toFixed(2)}x`;

export const markdown = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map((_, index) => (index === 0 ? "---" : "---:")), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** `75` as `1:15`. */
export const clockTime = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, "0")}`;
