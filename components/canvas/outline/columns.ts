/** The columns of the outline; a row has a cell for each, in this order. */
export const COLUMNS = ["Node", "Kind", "Reads", "Writes", "Zone", "Effect", "Problems"] as const;

/** Shared by the head and every row: the rows are apart from each other, so only this keeps them in line. */
export const GRID = "grid min-w-177 grid-cols-[minmax(236px,3fr)_72px_minmax(64px,1fr)_minmax(64px,1fr)_76px_88px_72px_28px] items-center";

/** Of the row of their names; it stands in its classes again. */
export const HEAD_PX = 32;

/** Heights of a row; they stand in its classes again. */
export const ROW_PX = { node: 32, way: 28 } as const;
