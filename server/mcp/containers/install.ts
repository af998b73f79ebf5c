import { parseImage, type Engine } from "@/lib/mcp/image";
import { createInvalidProgram, type Installation } from "@/server/mcp/programs/installation";
import { offerImage, type Declared } from "@/server/mcp/programs/offer";
import type { Environment } from "@/server/mcp/programs/run-installer";
import { demandEngine, inspectImage, pullImage, type Image, type ImageProgram } from "./engine";

const explainTag = async (engine: Engine, image: string, env: Environment): Promise<string> => {
  const found = await inspectImage(engine, image, env);
  if (!found) return `${image} can change, and ${engine} does not have it. Run ${engine} pull ${image}, then install it by its digest.`;

  return `${image} can change. Its digest now is ${found.names[0] ?? `sha256:${found.config}`}: install that.`;
};

const findPinned = async (engine: Engine, image: string, env: Environment): Promise<Image> => {
  const known = await inspectImage(engine, image, env);
  if (known) return known;
  await pullImage(engine, image, env);
  const pulled = await inspectImage(engine, image, env);
  if (!pulled) throw createInvalidProgram(`${engine} has no image ${image}.`);

  return pulled;
};

type FoundImage = { readonly image: Image; readonly runs: ImageProgram["runs"] };

export const findImage = async (reference: string, env: Environment): Promise<FoundImage> => {
  const parsed = parseImage(reference);
  if (!parsed.ok) throw createInvalidProgram(parsed.error);
  const { image: name, isPinned } = parsed.value;
  const engine = await demandEngine(env);
  if (!isPinned) throw createInvalidProgram(await explainTag(engine, name, env));
  const image = await findPinned(engine, name, env);
  if (!name.includes("@") && name !== `sha256:${image.config}`)
    throw createInvalidProgram(`${engine} has no image with the configuration ${name}.`);
  if (engine === "docker" && image.hasVolumes)
    throw createInvalidProgram("This image declares volumes, which docker would keep on this machine. Use podman.");

  return { image, runs: { kind: "image", engine, image: name, config: image.config } };
};

export const installImage = async (
  reference: string,
  declared: Declared,
  at: Installation,
  env: Environment,
  isDry = false,
): Promise<ImageProgram> => {
  const { image, runs } = await findImage(reference, env);
  const program = await offerImage(runs, image.files, declared, at, isDry);

  return { ...program, runs };
};
