/** Folders of an installation, as far as programs are concerned. */
import path from "node:path";
import { AppError } from "@/lib/errors";

/** COUNTERSIGN_HOME, and the folder of the application. */
export type Installation = { readonly home: string; readonly root: string };

/** Each installed package has a folder of its own in here, named by its entry. */
export const programsFolder = (home: string): string => path.join(home, "programs");

/** @param message one sentence for the person who registers the server */
export const invalidProgram = (message: string): AppError => new AppError("manifest_invalid", { message });
