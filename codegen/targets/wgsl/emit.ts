/** [codegen/targets/wgsl] Thread IR → WGSL text: bindings, indices of the machine, folded grids, and the body between them. */
import type { ThreadKernel } from "../../ir/thread.ts";
import type { Special } from "../../ir/used-specials.ts";
import { walkStmts } from "../../ir/visit-thread.ts";
import { assetUrl } from "../../text/asset.ts";
import { template } from "../../text/template.ts";
import { type EmitRequest, type EmittedText, headLines } from "../target.ts";
import { WgslContext } from "./context.ts";
import { scalarWord } from "./expressions.ts";
import { readWgslPrelude } from "./prelude.ts";
import { emitBody } from "./statements.ts";
import { analyseUniformity } from "./uniformity.ts";
import { elementType } from "./word-arrays.ts";

/** Members of the uniform block: the grid (x, y, z, unused), dims, scalars, one word each. */
function blockMembers(context: WgslContext): readonly string[] {
  const member = (text: string): string => text.slice(text.indexOf(".") + 1);
  return [
    "programs: vec4<u32>",
    ...[...context.dims.values()].map((text) => `${member(text)}: i32`),
    ...[...context.scalars.values()].map(
      ({ text, param }) => `${member(text)}: ${scalarWord(param.dtype)}`,
    ),
  ];
}

function bindings(context: WgslContext): readonly string[] {
  const tensors = context.kernel.params.flatMap((param) => {
    if (param.kind !== "tensor") return [];
    const { text, array } = context.tensor(param.name);
    const access = param.access === "in" ? "read" : "read_write";
    return [`var<storage, ${access}> ${text}: array<${elementType(array)}>;`];
  });
  return [...tensors, `var<uniform> ${context.launch}: TwLaunch;`].map(
    (text, i) => `@group(0) @binding(${i}) ${text}`,
  );
}

function workgroupMemory(context: WgslContext): readonly string[] {
  const regions = context.regions.map(
    ({ text, array }) =>
      `var<workgroup> ${text}: array<${elementType(array)}, ${array.length ?? 0}>;`,
  );
  return context.usesUniformWord
    ? [...regions, `var<workgroup> ${context.uniformWord}: u32;`]
    : regions;
}

/** Programs count through the true grid, x fastest, however the dispatch is folded; those past its end do nothing. */
function emitProgramIds(context: WgslContext): void {
  const { writer, names, launch, specials } = context;
  const x = `${launch}.programs.x`;
  const y = `${launch}.programs.y`;
  const program = names.fresh("program");
  writer.line(
    `let ${program} = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);`,
  );
  writer.line(`if (${program} >= ${x} * ${y} * ${launch}.programs.z) { return; }`);
  const ids: Partial<Readonly<Record<Special, string>>> = {
    pid0: `i32(${program} % ${x})`,
    pid1: `i32(${program} / ${x} % ${y})`,
    pid2: `i32(${program} / (${x} * ${y}))`,
    programs0: `i32(${x})`,
    programs1: `i32(${y})`,
    programs2: `i32(${launch}.programs.z)`,
  };
  for (const [special, name] of specials) {
    const value = ids[special];
    if (value !== undefined) writer.line(`let ${name} = ${value};`);
  }
}

interface ThreadIds {
  readonly builtins: readonly string[];
  readonly thread: string;
}

/** Where subgroups can be counted, threads are numbered by them, so that lanes of a warp are one subgroup for sure. */
function threadIds(kernel: ThreadKernel, features: readonly string[]): ThreadIds {
  const warp = kernel.warpSize;
  if (warp === 1 || !features.includes("subgroup_id")) {
    return {
      builtins: ["@builtin(local_invocation_index) thread_index: u32"],
      thread: "i32(thread_index)",
    };
  }
  return {
    builtins: [
      "@builtin(subgroup_id) subgroup: u32",
      "@builtin(subgroup_invocation_id) subgroup_lane: u32",
    ],
    thread: `i32(subgroup * ${warp}u + subgroup_lane)`,
  };
}

function emitThreadIds(context: WgslContext, ids: ThreadIds): void {
  const { writer, specials, kernel } = context;
  const { warpSize } = kernel;
  const lane = specials.get("lane");
  const warp = specials.get("warp");
  const thread = specials.get("thread");
  const needed = lane !== undefined || warp !== undefined || context.usesUniformWord;
  if (thread === undefined && !needed) return;
  const name = context.threadName();
  writer.line(`let ${name} = ${ids.thread};`);
  if (lane !== undefined) writer.line(`let ${lane} = ${name} % ${warpSize};`);
  if (warp !== undefined) writer.line(`let ${warp} = ${name} / ${warpSize};`);
}

function directives(kernel: ThreadKernel, features: readonly string[]): readonly string[] {
  let shuffles = false;
  walkStmts(kernel.body, (stmt) => {
    if (stmt.kind === "shuffle" || stmt.kind === "shuffle_xor") shuffles = true;
  });
  const counts = kernel.warpSize > 1 && features.includes("subgroup_id");
  return [
    ...(shuffles || counts ? ["enable subgroups;"] : []),
    ...(counts ? ["requires subgroup_id;"] : []),
    // Shuffles stand where all lanes of the warp come by; the analysis cannot follow the conditions.
    ...(shuffles ? ["diagnostic(off, subgroup_uniformity);"] : []),
  ];
}

/** Makes the emitter; it keeps the skeleton and the prelude that it reads once. */
export function createWgslEmitter(): (kernel: ThreadKernel, request: EmitRequest) => EmittedText {
  const prelude = readWgslPrelude();
  const skeleton = template(assetUrl("targets/wgsl/kernel.hbs"), {
    head: "strings",
    directives: "strings",
    members: "strings",
    bindings: "strings",
    memory: "strings",
    prelude: "string",
    threads: "number",
    entry: "string",
    builtins: "strings",
    body: "string",
  });
  return (kernel, request) => {
    const { features } = request.spec;
    const context = new WgslContext(kernel, analyseUniformity(kernel));
    emitBody(kernel.body, context);
    const ids = threadIds(kernel, features);
    const preamble = context.preamble(() => {
      emitProgramIds(context);
      emitThreadIds(context, ids);
    });
    const body = [preamble, context.bodyText()].filter((part) => part !== "").join("\n");
    const text = skeleton({
      head: headLines(kernel, request),
      directives: directives(kernel, features),
      members: blockMembers(context),
      bindings: bindings(context),
      memory: workgroupMemory(context),
      prelude: prelude.assemble(body),
      threads: kernel.threads,
      entry: context.entry,
      builtins: [
        "@builtin(workgroup_id) workgroup_id: vec3<u32>",
        "@builtin(num_workgroups) num_workgroups: vec3<u32>",
        ...ids.builtins,
      ],
      body,
    });
    return { text, entry: context.entry };
  };
}
