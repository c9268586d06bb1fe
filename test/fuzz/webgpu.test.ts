/** [test/fuzz] Random programs as WGSL on the GPU that is there, or a software one. */
import { describeRandomPrograms } from "./random-on-target.ts";

await describeRandomPrograms("webgpu");
