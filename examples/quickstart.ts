/** [examples] `npm run quickstart`: one kernel and its three texts, then a small model telling a story with kernels made that way. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chooseDevice, compile, Engine, TARGETS, type TargetName } from "../index.ts";
import { scaledSoftmax } from "./softmax.ts";

const MODEL = fileURLToPath(new URL("./models/story-1m", import.meta.url));
const PROMPT = process.argv[2] ?? "Once upon a time";
const LINES_SHOWN = 14;
const ENOUGH_TOKENS = 320;
const MOST_TOKENS = 400;
const isTerminal = process.stdout.isTTY === true;
const bold = (text: string) => (isTerminal ? `\x1b[1m${text}\x1b[0m` : text);
const dim = (text: string) => (isTerminal ? `\x1b[2m${text}\x1b[0m` : text);

showKernel();
for (const [target, arch] of [
  ["cuda", "sm_90a"],
  ["hip", "gfx90a"],
  ["wgsl", undefined],
] as const)
  showText(target, arch);
await tellStory();

function showKernel(): void {
  const source = readFileSync(new URL("./softmax.ts", import.meta.url), "utf8");
  console.log(bold("One kernel, in TypeScript (examples/softmax.ts)"));
  console.log(source.slice(source.indexOf("export const")).trimEnd());
}

function showText(target: TargetName, arch: string | undefined): void {
  const spec = TARGETS[target].defaultSpec(arch);
  const start = performance.now();
  const { text, threads } = compile(scaledSoftmax, {
    specialization: { dims: { N: 1024 } },
    target: spec,
  });
  const ms = performance.now() - start;
  const lines = text.trimEnd().split("\n");
  const body = lines.slice(lines.findIndex((line) => /^(TW_KERNEL|@compute)/.test(line)));
  console.log(
    `\n${bold(`→ ${TARGETS[target].title}${arch === undefined ? "" : ` for ${arch}`}`)}  ${dim(`${lines.length} lines, ${threads} threads a block, compiled in ${ms.toFixed(0)} ms`)}`,
  );
  console.log(
    [
      ...body.slice(0, LINES_SHOWN),
      dim(`… ${Math.max(0, body.length - LINES_SHOWN)} more lines`),
    ].join("\n"),
  );
}

async function tellStory(): Promise<void> {
  const { device, reason } = await chooseDevice();
  console.log(
    `\n${bold("Device:")} ${device.info.name} (${device.info.driver}). ${dim(`Why: ${reason}`)}`,
  );
  const engine = await Engine.load({ model: MODEL, device, servedModelName: "story-1m" });
  try {
    console.log(
      `${bold("Model:")} story-1m, ${engine.info.architecture}, ${engine.info.dtype}; every layer runs kernels written like the one above.\n`,
    );
    process.stdout.write(bold(PROMPT));
    const start = performance.now();
    let firstMs = 0;
    let tokens = 0;
    let end = "";
    for await (const { text, deltaText, tokenIds, finishReason } of engine.generate(PROMPT, {
      maxTokens: MOST_TOKENS,
      temperature: 0.8,
      seed: 7,
    })) {
      if (tokens === 0) firstMs = performance.now() - start;
      tokens = tokenIds.length;
      process.stdout.write(deltaText);
      if (finishReason === "length") end = dim(" … (the token limit)");
      // The story ends by itself, or at the end of a sentence once it is long enough; leaving the loop ends the request.
      if (tokens >= ENOUGH_TOKENS && /[.!?]["']?$/.test(text)) break;
    }
    const seconds = (performance.now() - start - firstMs) / 1000;
    console.log(
      `${end}\n\n${tokens} tokens: the first after ${firstMs.toFixed(0)} ms (kernels compile then), the others at ${((tokens - 1) / seconds).toFixed(1)} tokens/s on ${device.info.name}.`,
    );
  } finally {
    await engine.close();
    await device.close();
  }
  console.log(`
${bold("Next")}
  npm run quickstart -- "One night, Zoe could not sleep."   another story
  npx tsx engine/cli/main.ts doctor                         what this machine has, and what is missing
  npx tsx engine/cli/main.ts compile examples/softmax.ts --dim N=1024 --target wgsl
  npx tsx engine/cli/main.ts serve --model examples/models/story-1m --port 8000
  README.md                                                 the language, the room map, five lines that serve a model`);
}
