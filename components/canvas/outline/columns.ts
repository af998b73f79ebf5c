/** The columns of the outline; a row has a cell for each, in this order. */
export const COLUMNS = ["Node", "Kind", "Reads", "Writes", "Zone", "Effect", "Problems"] as const;

/** Shared by the head and every row: the rows are apart from each other, so only this keeps them in line. */
export const GRID =
  "grid min-w-184 grid-cols-[minmax(220px,2.4fr)_84px_minmax(72px,1fr)_minmax(72px,1fr)_84px_84px_76px_32px] items-center";

/** Heights of a row; they stand in its classes again. */
export const ROW_PX = { node: 32, way: 28 } as const;
