"""A validator for the part of JSON Schema that docs/schema uses. An unknown word is an error."""

KNOWN = {"$schema", "$id", "title", "type", "properties", "required", "additionalProperties", "items",
         "enum", "const", "minimum", "maximum", "oneOf", "anyOf", "allOf"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def problems(value, schema, where="$"):
    """What is wrong with a value, as a list of sentences."""
    unknown = set(schema) - KNOWN
    if unknown:
        raise ValueError(f"schema.py does not know {unknown}")
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(is_type(value, name) for name in types):
        return [f"{where}: {value!r} is not {types}"]
    found = []
    if "const" in schema and value != schema["const"]:
        found.append(f"{where}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{where}: {value!r} is not one of {schema['enum']}")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            found.append(f"{where}: {value!r} is out of range")
    if isinstance(value, dict):
        found += object_problems(value, schema, where)
    if isinstance(value, list):
        for i, item in enumerate(value):
            found += problems(item, schema.get("items", {}), f"{where}[{i}]")
    return found + combined_problems(value, schema, where)


def object_problems(value, schema, where):
    properties = schema.get("properties", {})
    found = [f"{where}: {name} is missing" for name in schema.get("required", []) if name not in value]
    for name, member in value.items():
        if name in properties:
            found += problems(member, properties[name], f"{where}.{name}")
        elif schema.get("additionalProperties", True) is False:
            found.append(f"{where}: {name} is not in the schema")
    return found


def combined_problems(value, schema, where):
    found = []
    for part in schema.get("allOf", []):
        found += problems(value, part, where)
    for word in ("oneOf", "anyOf"):
        if word not in schema:
            continue
        outcomes = [problems(value, part, where) for part in schema[word]]
        fitting = sum(not outcome for outcome in outcomes)
        if fitting == 0:
            found += [f"{where}: fits none:"] + [p for outcome in outcomes for p in outcome]
        elif fitting > 1 and word == "oneOf":
            found.append(f"{where}: fits {fitting} of oneOf")
    return found
