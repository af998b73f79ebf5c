export const BUNDLED_PROGRAMS = ["customers", "expenses", "filesystem", "library", "rug-pull", "shop"] as const;
export type BundledProgram = (typeof BUNDLED_PROGRAMS)[number];

export const isBundledProgram = (id: string): id is BundledProgram => (BUNDLED_PROGRAMS as readonly string[]).includes(id);
