"""The model in plain PyTorch: Llama with grouped-query attention, modules named as in the checkpoint."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass(frozen=True)
class Config:
    """The sizes of the model; ``as_json`` is the content of config.json."""

    vocab_size: int = 2048
    hidden_size: int = 128
    intermediate_size: int = 384
    num_hidden_layers: int = 6
    num_attention_heads: int = 4
    num_key_value_heads: int = 2
    head_dim: int = 32
    max_position_embeddings: int = 512
    rms_norm_eps: float = 1e-5
    rope_theta: float = 10000.0

    def as_json(self) -> dict:
        """config.json as the Hugging Face libraries write it for Llama."""
        return {
            "architectures": ["LlamaForCausalLM"],
            "model_type": "llama",
            "vocab_size": self.vocab_size,
            "hidden_size": self.hidden_size,
            "intermediate_size": self.intermediate_size,
            "num_hidden_layers": self.num_hidden_layers,
            "num_attention_heads": self.num_attention_heads,
            "num_key_value_heads": self.num_key_value_heads,
            "head_dim": self.head_dim,
            "hidden_act": "silu",
            "max_position_embeddings": self.max_position_embeddings,
            "rms_norm_eps": self.rms_norm_eps,
            "rope_theta": self.rope_theta,
            "attention_bias": False,
            "mlp_bias": False,
            "tie_word_embeddings": True,
            "bos_token_id": 1,
            "eos_token_id": 2,
            "pad_token_id": 0,
            "torch_dtype": "bfloat16",
        }

    @staticmethod
    def from_json(data: dict) -> "Config":
        """The sizes read back from config.json."""
        return Config(**{name: data[name] for name in Config.__dataclass_fields__})


class RMSNorm(nn.Module):
    """x / rms(x) * weight, computed in float32."""

    def __init__(self, size: int, eps: float):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        wide = x.float()
        wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)
        return (wide * self.weight).to(x.dtype)


def rotate(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Rotary position embedding, the two halves of a head as pairs; x is [batch, heads, length, head_dim]."""
    first, second = x.chunk(2, dim=-1)
    return (x * cos + torch.cat((-second, first), dim=-1) * sin).to(x.dtype)


class Attention(nn.Module):
    """Causal grouped-query attention."""

    def __init__(self, c: Config):
        super().__init__()
        self.c = c
        self.q_proj = nn.Linear(c.hidden_size, c.num_attention_heads * c.head_dim, bias=False)
        self.k_proj = nn.Linear(c.hidden_size, c.num_key_value_heads * c.head_dim, bias=False)
        self.v_proj = nn.Linear(c.hidden_size, c.num_key_value_heads * c.head_dim, bias=False)
        self.o_proj = nn.Linear(c.num_attention_heads * c.head_dim, c.hidden_size, bias=False)

    def forward(self, x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
        batch, length, _ = x.shape
        c = self.c
        q = self.q_proj(x).view(batch, length, c.num_attention_heads, c.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(batch, length, c.num_key_value_heads, c.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(batch, length, c.num_key_value_heads, c.head_dim).transpose(1, 2)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        group = c.num_attention_heads // c.num_key_value_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(out.transpose(1, 2).reshape(batch, length, -1))


class MLP(nn.Module):
    """down(silu(gate(x)) * up(x))."""

    def __init__(self, c: Config):
        super().__init__()
        self.gate_proj = nn.Linear(c.hidden_size, c.intermediate_size, bias=False)
        self.up_proj = nn.Linear(c.hidden_size, c.intermediate_size, bias=False)
        self.down_proj = nn.Linear(c.intermediate_size, c.hidden_size, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    """One pre-norm transformer layer."""

    def __init__(self, c: Config):
        super().__init__()
        self.input_layernorm = RMSNorm(c.hidden_size, c.rms_norm_eps)
        self.self_attn = Attention(c)
        self.post_attention_layernorm = RMSNorm(c.hidden_size, c.rms_norm_eps)
        self.mlp = MLP(c)

    def forward(self, x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        return x + self.mlp(self.post_attention_layernorm(x))


class Trunk(nn.Module):
    """Embedding, layers and final norm: everything under ``model.`` in the checkpoint."""

    def __init__(self, c: Config):
        super().__init__()
        self.embed_tokens = nn.Embedding(c.vocab_size, c.hidden_size)
        self.layers = nn.ModuleList(Layer(c) for _ in range(c.num_hidden_layers))
        self.norm = RMSNorm(c.hidden_size, c.rms_norm_eps)


class StoryModel(nn.Module):
    """Token ids [batch, length] to logits [batch, length, vocab]; the head is the embedding."""

    def __init__(self, c: Config):
        super().__init__()
        self.c = c
        self.model = Trunk(c)
        steps = torch.arange(0, c.head_dim, 2, dtype=torch.float32) / c.head_dim
        angles = torch.outer(torch.arange(c.max_position_embeddings, dtype=torch.float32), c.rope_theta**-steps)
        angles = torch.cat((angles, angles), dim=-1)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def initialise(self) -> None:
        """Normal weights of deviation 0.02, narrower where a layer writes to the residual stream."""
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                narrow = name.endswith(("o_proj.weight", "down_proj.weight"))
                nn.init.normal_(weight, std=0.02 / (2 * self.c.num_hidden_layers) ** 0.5 if narrow else 0.02)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        length = ids.shape[1]
        cos, sin = self.cos[:length], self.sin[:length]
        x = self.model.embed_tokens(ids)
        for layer in self.model.layers:
            x = layer(x, cos, sin)
        return F.linear(self.model.norm(x), self.model.embed_tokens.weight)

    def loss(self, rows: torch.Tensor) -> torch.Tensor:
        """Mean cross entropy of the next token, in nats; rows are [batch, length + 1]."""
        logits = self(rows[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1).float(), rows[:, 1:].flatten())


@torch.no_grad()
def continue_rows(
    model: StoryModel,
    prompts: list[list[int]],
    eos: int,
    temperature: float,
    generator: torch.Generator | None,
    limit: int,
) -> list[list[int]]:
    """Continuations of prompts of any lengths, greedy where temperature is 0; each ends with EOS or at ``limit`` ids."""
    device = model.cos.device
    out: list[list[int]] = [[] for _ in prompts]
    rows = torch.zeros((len(prompts), model.c.max_position_embeddings), dtype=torch.long, device=device)
    for i, prompt in enumerate(prompts):
        rows[i, : len(prompt)] = torch.tensor(prompt)
    at = torch.tensor([len(p) for p in prompts], device=device)
    live = torch.ones(len(prompts), dtype=torch.bool, device=device)
    index = torch.arange(len(prompts), device=device)
    while bool(live.any()):
        logits = model(rows[:, : int(at.max())])[index, at - 1].float()
        if temperature > 0:
            weights = torch.softmax(logits / temperature, dim=-1)
            token = torch.multinomial(weights, 1, generator=generator)[:, 0]
        else:
            token = logits.argmax(dim=-1)
        for written, going, chosen in zip(out, live.tolist(), token.tolist(), strict=True):
            if going:
                written.append(chosen)
        live = live & (token != eos)
        rows[index[live], at[live]] = token[live]
        at = at + live.long()
        live = live & (at < model.c.max_position_embeddings)
        live = live & torch.tensor([len(o) < limit for o in out], device=device)
    return out
