import path from "node:path";
import { AppError } from "@/lib/errors";

/** COUNTERSIGN_HOME and the application's folder. */
export type Installation = { readonly home: string; readonly root: string };

/** One folder per package. */
export const getProgramsFolder = (home: string): string => path.join(home, "programs");

/** Thrown throughout this folder. @param message for the registering person */
export const createInvalidProgram = (message: string): AppError => new AppError("manifest_invalid", { message });
