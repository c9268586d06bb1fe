/** [test/fuzz] Random programs as CUDA text of sm_80 on the emulation. */
import { describeRandomPrograms } from "./random-on-target.ts";

await describeRandomPrograms("sm_80");
