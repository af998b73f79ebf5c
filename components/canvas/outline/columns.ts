/** Outline columns, in cell order. */
export const COLUMNS = ["Node", "Kind", "Reads", "Writes", "Zone", "Effect", "Problems"] as const;

/** Aligns the head with independent rows. */
export const GRID = "grid min-w-177 grid-cols-[minmax(236px,3fr)_72px_minmax(64px,1fr)_minmax(64px,1fr)_76px_88px_72px_28px] items-center";

/** Also in its classes. */
export const HEAD_PX = 32;

/** Also in their classes. */
export const ROW_PX = { node: 32, way: 28 } as const;
