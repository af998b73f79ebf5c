import { z } from "zod";
import { artifactSchema, type Artifact } from "@/lib/artifact";

const answerSchema = z.union([artifactSchema, z.object({ error: z.object({ message: z.string() }) })]);

const UNREACHABLE = "The file was not uploaded: the server could not be reached.";

const readAnswer = (text: string): z.infer<typeof answerSchema> | null => {
  try {
    return answerSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

export type Upload = { readonly answer: Promise<Artifact>; readonly stop: () => void };

/** `fetch` tells no progress. @param onShare from 0 to 1 */
export const startUpload = (file: File, onShare: (share: number) => void): Upload => {
  const request = new XMLHttpRequest();
  const answer = new Promise<Artifact>((resolve, reject) => {
    const fail = (message: string): void => reject(new Error(message));
    request.upload.addEventListener("progress", ({ loaded, total }) => onShare(total > 0 ? loaded / total : 0));
    request.addEventListener("error", () => fail(UNREACHABLE));
    request.addEventListener("abort", () => fail("The upload was stopped."));
    request.addEventListener("load", () => {
      const said = readAnswer(request.responseText);
      if (said === null) fail(UNREACHABLE);
      else if ("error" in said) fail(said.error.message);
      else resolve(said);
    });
  });
  request.open("POST", `/api/artifacts?${new URLSearchParams({ name: file.name }).toString()}`);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.send(file);

  return { answer, stop: () => request.abort() };
};
