#include "spec_args.h"

#include <nanobind/stl/vector.h>

#include <cstring>

#include "base/error.h"
#include "bloomery/sizing.h"
#include "dialect/rules.h"

namespace nb = nanobind;

namespace bloomery::python {
namespace {

// What was said, or what the dialect takes by itself.
HashId hash_id_of(const FilterArgs& args, Dialect dialect) {
  if (!args.hash.empty()) {
    const auto hash = hash_from_string(args.hash);
    if (hash) return *hash;
    throw Failure(make_error(ErrorCode::kInvalidArgument,
                             "hash \"{}\": must be xxh3, murmur3 or sip", escaped(args.hash)));
  }
  const DialectRules* const rules = rules_of(dialect);
  return rules == nullptr ? HashId::kXxh3 : HashId{static_cast<std::uint8_t>(rules->hashes[0])};
}

Kind kind_of(const FilterArgs& args, Dialect dialect) {
  if (args.kind.empty()) return dialect == Dialect::kBloomery ? Kind::kBlocked : Kind::kClassic;
  const auto kind = kind_from_string(args.kind);
  if (kind) return *kind;
  throw Failure(make_error(ErrorCode::kInvalidArgument,
                           "kind \"{}\": must be blocked, classic or counting",
                           escaped(args.kind)));
}

}  // namespace

SizingRequest sizing_of(const FilterArgs& args) {
  SizingRequest request;
  const auto dialect = dialect_from_string(args.dialect);
  if (!dialect) {
    throw Failure(make_error(ErrorCode::kInvalidArgument,
                             "dialect \"{}\": there is none of this name; bloomery formats lists "
                             "them",
                             escaped(args.dialect)));
  }
  const HashId hash = hash_id_of(args, *dialect);
  const auto secret = secret_of(args.secret);
  if (secret.has_value() != (hash == HashId::kSip)) {
    throw Failure(make_error(ErrorCode::kInvalidArgument,
                             "hash=\"sip\" and secret= go together: 16 secret bytes"));
  }
  request.dialect = *dialect;
  request.kind = kind_of(args, *dialect);
  request.hasher = secret ? Hasher::with_secret(*secret) : unwrap(Hasher::create(hash, args.seed));
  request.fpr = args.fpr;
  request.hashes = args.hashes;
  request.seeds = args.seeds;
  request.bits = args.bits;
  if (args.bytes) request.bits = unwrap(bits_in_bytes(request.kind, *args.bytes));
  return request;
}

std::optional<SecretKey> secret_of(const std::optional<nb::bytes>& secret) {
  if (!secret) return std::nullopt;
  SecretKey key{};
  if (secret->size() != key.size()) {
    throw Failure(make_error(ErrorCode::kInvalidArgument,
                             "a secret key of {} bytes; it must have 16", secret->size()));
  }
  std::memcpy(key.data(), secret->data(), key.size());
  return key;
}

nb::dict spec_dict(const FilterSpec& spec) {
  nb::dict dict;
  const auto name = [](std::string_view text) { return nb::str(text.data(), text.size()); };
  dict["kind"] = name(to_string(spec.kind));
  dict["dialect"] = name(to_string(spec.dialect));
  dict["hash"] = name(to_string(spec.hasher.id()));
  dict["seed"] = spec.hasher.seed();
  dict["fpr"] = spec.fpr;
  dict["planned_keys"] = spec.planned_keys;
  dict["bits"] = spec.bits;
  dict["hashes"] = spec.hashes;
  dict["seeds"] = nb::cast(spec.seeds);
  return dict;
}

}  // namespace bloomery::python
